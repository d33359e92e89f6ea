import threading

ready = threading.Event()
order = []


def wait():
    ready.wait()
    order.append("woken")


waiter = threading.Thread(target=wait)
waiter.start()
order.append("setting")
ready.set()
waiter.join()
print(order, ready.is_set(), ready.wait(0), threading.Event().wait(0.01))

#| ['setting', 'woken'] True True False
