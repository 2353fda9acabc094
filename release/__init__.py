"""What makes releases out of a checkout: packages, the bundle, pictures for the documentation."""
