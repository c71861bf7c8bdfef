from tidewatch import Gauge

old, new = Gauge("north pier"), Gauge("lock", zero=38)
old.record(minute=415, height=512)
new.record(minute=420, height=548)
