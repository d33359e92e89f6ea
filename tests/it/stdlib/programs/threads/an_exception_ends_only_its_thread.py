import threading

caught = []
threading.excepthook = lambda args: caught.append((args.exc_type.__name__, str(args.exc_value), args.thread.name))
thread = threading.Thread(target=lambda: 1 / 0, name="divider")
thread.start()
thread.join()
print(caught, thread.is_alive())
threading.excepthook = threading.__excepthook__

#| [('ZeroDivisionError', 'division by zero', 'divider')] False
