import threading

threading.Thread(target=print, args=("from the thread",)).start()

#| from the thread
