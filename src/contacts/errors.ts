import { problemKind } from '../platform/errors.ts'

export const ContactNotFound = problemKind(404, 'contact_not_found', 'Contact not found')
export const ContactPhoneTaken = problemKind(
  409,
  'contact_phone_taken',
  'Another contact already has this phone number',
)
export const ContactArchived = problemKind(409, 'contact_already_archived', 'The contact is already archived')
export const ContactNotArchived = problemKind(409, 'contact_not_archived', 'The contact is not archived')
export const ContactNoteNotFound = problemKind(404, 'contact_note_not_found', 'Note not found')
export const ContactNoteNotYours = problemKind(
  403,
  'contact_note_not_yours',
  'Only the author can change this note',
)
export const TagNotFound = problemKind(404, 'tag_not_found', 'Tag not found')
export const TagNameTaken = problemKind(409, 'tag_name_taken', 'A tag with this name already exists')
export const CustomFieldNotFound = problemKind(404, 'custom_field_not_found', 'Custom field not found')
export const CustomFieldNameTaken = problemKind(
  409,
  'custom_field_name_taken',
  'A custom field with this name already exists',
)
export const CustomFieldPredefined = problemKind(
  409,
  'custom_field_predefined',
  'Predefined custom fields cannot be renamed or deleted',
)
export const ContactBulkNotFound = problemKind(404, 'contact_bulk_not_found', 'Bulk action not found')
export const ContactBulkUndoExpired = problemKind(
  409,
  'contact_bulk_undo_expired',
  'The action cannot be undone, or no longer',
)
export const ContactImportNotFound = problemKind(404, 'contact_import_not_found', 'Import not found')
