from lxml import etree

EXTERNAL = False


def parser():
    return etree.XMLParser(
        resolve_entities=EXTERNAL,
        load_dtd=EXTERNAL,
        no_network=not EXTERNAL,
    )


def root_of(payload):
    return etree.fromstring(payload, parser())
