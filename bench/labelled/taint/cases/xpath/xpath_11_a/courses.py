from lxml import etree

TREE = etree.parse("/srv/data/courses.xml")


def find_course(code, year="2024"):
    query = f"//course[@code=$code and @year={year}]"
    found = TREE.xpath(query, code=code)
    for course in found:
        return course
    return None
