import threading


def greet(name, *, times):
    for _ in range(times):
        print("hello", name)


thread = threading.Thread(target=greet, args=("ada",), kwargs={"times": 2})
thread.start()
thread.join()
print("done")

#| hello ada
#| hello ada
#| done
