import { problemKind } from '../platform/errors.ts'

export const ContactNotFound = problemKind(404, 'contact_not_found', 'There is no such contact')
export const ContactPhoneTaken = problemKind(
  409,
  'contact_phone_taken',
  'Another contact has this phone number',
)
export const ContactArchived = problemKind(409, 'contact_already_archived', 'The contact is archived already')
export const ContactNotArchived = problemKind(409, 'contact_not_archived', 'The contact is not archived')
export const TagNotFound = problemKind(404, 'tag_not_found', 'There is no such tag')
export const TagNameTaken = problemKind(409, 'tag_name_taken', 'A tag of this name exists already')
export const CustomFieldNotFound = problemKind(404, 'custom_field_not_found', 'There is no such custom field')
export const CustomFieldNameTaken = problemKind(
  409,
  'custom_field_name_taken',
  'A custom field of this name exists already',
)
export const CustomFieldPredefined = problemKind(
  409,
  'custom_field_predefined',
  'A predefined field can be neither renamed nor deleted',
)
