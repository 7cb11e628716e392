"""What a house tells the world: webhooks, sent once for each thing that has happened, and again until they arrive.

`notifications` tells the readers who want it, on their devices, in the same way.

Nothing under embargo is news: days are told when they open and when they have closed, races when they start and when
they are over. Two topics are for hosts, and off unless they are chosen: `report_made`, and `findings_made` about a day
that has closed. They name nobody. Rows hold ids, never names.
"""
