"""Notifications: what browsers show by Web Push (RFC 8030), to readers who have switched them on, device by device.

`Devices` stores the subscriptions. `NotificationDetector` and `OvertakenDetector` find what is news for whom, and write
a row for each device, once over all nodes; `NotificationSender` sends the rows. Nothing in a notification is a secret:
days that have opened, races that one takes part in, and that one's rank on a public board has changed.
"""
