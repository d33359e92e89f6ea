import threading

results = []
threads = [threading.Thread(target=results.append, args=(i,)) for i in range(5)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sorted(results), [thread.is_alive() for thread in threads])

#| [0, 1, 2, 3, 4] [False, False, False, False, False]
