"""What a measure is worth if its labels are partly a judge's, such as a language model's."""
