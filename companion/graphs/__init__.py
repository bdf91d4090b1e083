"""The finished graph of each lesson, one file a lesson: `build(model)` gives what the lesson's last cells give."""
