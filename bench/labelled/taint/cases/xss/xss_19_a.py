from bottle import SimpleTemplate, request, route

PAGE = SimpleTemplate("<h1>{{topic}}</h1><p>{{count}} posts</p>")


@route("/topic")
def show_topic():
    topic = request.query.get("topic", "general")
    count = len(topic)
    return PAGE.render(topic=topic, count=count)
