import ldap


class Directory:
    def __init__(self, url):
        self.url = url
        self.base = "ou=people,dc=example,dc=org"

    def by_badge(self, badge):
        connection = ldap.initialize(self.url)
        query = "(employeeNumber=" + badge + ")"
        return connection.search_s(self.base, ldap.SCOPE_SUBTREE, query)
