package dev.constat.pipelines.report;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.ErrorHandler;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/** A page as a strict parser reads it, which takes nothing that is not well-formed. */
final class Markup {

  private final Document document;

  private Markup(Document document) {
    this.document = document;
  }

  static Markup of(byte[] page) {
    try {
      var builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
      builder.setErrorHandler(new Strict());
      return new Markup(builder.parse(new ByteArrayInputStream(page)));
    } catch (ParserConfigurationException | SAXException | IOException e) {
      throw new AssertionError("The page is not well-formed", e);
    }
  }

  /** Elements of a name, in the order of the page. */
  List<Element> all(String name) {
    NodeList nodes = document.getElementsByTagName(name);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }

  /** The text of elements of a name. */
  List<String> texts(String name) {
    return all(name).stream().map(Element::getTextContent).toList();
  }

  /** The text of the element of an id. */
  String section(String id) {
    return all("*").stream()
        .filter(element -> element.getAttribute("id").equals(id))
        .findFirst()
        .orElseThrow(() -> new AssertionError("No element of id " + id))
        .getTextContent()
        .replaceAll("\\s+", " ");
  }

  /** Values of an attribute, in the order of the page. */
  List<String> attributes(String name) {
    return all("*").stream()
        .filter(element -> element.hasAttribute(name))
        .map(element -> element.getAttribute(name))
        .toList();
  }

  private static final class Strict implements ErrorHandler {

    @Override
    public void warning(SAXParseException e) throws SAXException {
      throw e;
    }

    @Override
    public void error(SAXParseException e) throws SAXException {
      throw e;
    }

    @Override
    public void fatalError(SAXParseException e) throws SAXException {
      throw e;
    }
  }
}
