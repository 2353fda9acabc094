"""Where frames come from: webcams, videos, folders, network cameras, photos, the rendered table."""
