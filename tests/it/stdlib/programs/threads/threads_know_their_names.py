import threading

names = []


def note():
    names.append(threading.current_thread().name)


threads = [threading.Thread(target=note, name="first"), threading.Thread(target=note)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(names, threading.current_thread().name, threading.current_thread() is threading.main_thread(), threading.active_count())

#| ['first', 'Thread-1 (note)'] MainThread True 1
