import threading

condition = threading.Condition()
items = []
seen = []


def consume():
    with condition:
        condition.wait_for(lambda: len(items) >= 3)
        seen.extend(items)


def produce():
    for i in range(3):
        with condition:
            items.append(i)
            condition.notify_all()


consumer, producer = threading.Thread(target=consume), threading.Thread(target=produce)
consumer.start()
producer.start()
producer.join()
consumer.join()
print(seen)

#| [0, 1, 2]
