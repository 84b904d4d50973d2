"""The files of one review and its fixes, field by field, as pydantic models."""
