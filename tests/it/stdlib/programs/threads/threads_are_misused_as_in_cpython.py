import threading

thread = threading.Thread(target=print, args=("ran",))
for action in (thread.join, thread.start, thread.join, thread.start, threading.current_thread().join):
    try:
        action()
    except RuntimeError as error:
        print(error)

#| cannot join thread before it is started
#| ran
#| threads can only be started once
#| cannot join current thread
