"""Office formats in OLE containers: DOC and PPT of Word and PowerPoint 97 to 2003, and the text of Word 6 and 95."""
