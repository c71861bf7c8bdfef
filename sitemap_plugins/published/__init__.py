"""What is published: the files of a folder, its sitemaps and redirects, and snapshots of a site."""
