"""Results → sheets → their forms; and the registry of measures as list, page and explanation."""
