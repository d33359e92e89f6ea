import threading

fired = threading.Event()
timer = threading.Timer(0.01, fired.set)
never = threading.Timer(60, print, ["never"])
timer.start()
never.start()
never.cancel()
print(fired.wait(5))
timer.join()
never.join()
print(never.is_alive())

#| True
#| False
