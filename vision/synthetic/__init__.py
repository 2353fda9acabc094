"""The demo camera: pictures of a rendered table with their exact truth."""
