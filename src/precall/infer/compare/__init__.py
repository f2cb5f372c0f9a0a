"""Comparisons: is one system better than another, and how sure is that?"""
