import Type from 'typebox'
import { channels } from '../platform/config.ts'
import {
  AnyId,
  literals,
  named,
  nullable,
  object,
  type Static,
  Timestamp,
  visibleText,
} from '../platform/http/schemas.ts'
import { idType } from '../platform/ids.ts'

export const ContactId = idType('con')
export const IdentityId = idType('idn')
export const TagId = idType('tag')
export const CustomFieldId = idType('cf')
export const ImportId = idType('import')

export const ChannelName = literals(channels)

export const maxValueLength = 8_192

export const ContactName = visibleText(200)
export const DisplayName = visibleText(100)
export const PhoneNumber = Type.String({ minLength: 1, maxLength: 60, examples: ['+14155550100'] })
export const FieldValue = Type.String({ maxLength: maxValueLength })
export const FieldsByName = Type.Record(Type.String({ minLength: 1, maxLength: 200 }), FieldValue, {
  description: 'values by field name; an empty value clears the field',
  maxProperties: 500,
})

const Metadata = object({
  phoneNumber: nullable(Type.String({ description: 'E.164; null when no phone number is known' })),
})
const identityLinks = {
  identities: Type.Array(
    object({
      id: AnyId,
      channel: ChannelName,
      metadata: Metadata,
      externalId: Type.String({
        description: "extension: the phone number, or the provider's user id where no number is known",
      }),
      username: nullable(
        Type.String({ description: 'extension: the name that the customer has chosen at the provider' }),
      ),
    }),
  ),
}
const conversationLinks = {
  conversations: Type.Array(
    object({
      conversationId: nullable({ ...AnyId, description: 'null: no conversation on this channel yet' }),
      channel: ChannelName,
      metadata: Metadata,
    }),
  ),
}

const AvatarUrl = {
  ...nullable(Type.String()),
  description: 'extension: the picture that was uploaded, a path of this service',
}

const contactMembers = {
  id: AnyId,
  tenantId: AnyId,
  name: nullable(Type.String()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  tagIds: Type.Array(AnyId),
  customFields: Type.Record(Type.String(), Type.String(), { description: 'values by field name' }),
  archivedAt: nullable(Timestamp),
  avatarUrl: AvatarUrl,
  optOuts: Type.Array(ChannelName, { description: 'extension: channels the contact opted out of' }),
}

export const Contact = named('Contact', object({ ...contactMembers, ...identityLinks }))
export type Contact = Static<typeof Contact>

/** The shape of events and other domains: with conversations instead of identities. */
export const LinkedContact = named('LinkedContact', object({ ...contactMembers, ...conversationLinks }))
export type LinkedContact = Static<typeof LinkedContact>

export const ContactSummary = named(
  'ContactSummary',
  object({
    id: AnyId,
    name: nullable(Type.String()),
    email: nullable(Type.String()),
    phone: nullable(Type.String()),
    tags: Type.Array(object({ id: AnyId, name: Type.String() })),
    channels: Type.Array(ChannelName),
    hasConversations: Type.Boolean(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    archivedAt: nullable(Timestamp),
    avatarUrl: AvatarUrl,
    customFields: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'extension: values by field name, if included',
      }),
    ),
    lastInteractionAt: Type.Optional({
      ...nullable(Timestamp),
      description: 'extension: of the last message from the contact, if included',
    }),
  }),
)
export type ContactSummary = Static<typeof ContactSummary>

export const OptOut = named(
  'OptOut',
  object({
    channel: ChannelName,
    at: Timestamp,
    setBy: {
      ...nullable(object({ type: literals(['user', 'service', 'bot', 'journey']), id: AnyId })),
      description: 'null: the contact itself, or not recorded',
    },
  }),
)
export type OptOut = Static<typeof OptOut>

export const NewContact = object({
  name: Type.Optional(ContactName),
  phone: Type.Optional(PhoneNumber),
  customFields: Type.Optional(FieldsByName),
})
export type NewContact = Static<typeof NewContact>

export const ContactPatch = object({
  name: Type.Optional(nullable({ ...ContactName, description: 'null clears it' })),
  phone: Type.Optional(nullable({ ...PhoneNumber, description: 'extension; null removes it' })),
  customFields: Type.Optional({ ...FieldsByName, description: 'extension; an empty value clears' }),
})
export type ContactPatch = Static<typeof ContactPatch>

export const TagColor = Type.String({
  pattern: '^#[0-9a-fA-F]{6}$',
  patternMessage: 'must be a color such as #2b59c3',
  examples: ['#2b59c3'],
})

export const Tag = named(
  'Tag',
  object({
    id: AnyId,
    name: Type.String(),
    color: nullable({ ...TagColor, description: 'extension' }),
    createdAt: Timestamp,
    createdBy: nullable(AnyId),
    labeledCount: Type.Integer({ description: 'number of contacts with the tag' }),
  }),
)
export type Tag = Static<typeof Tag>

export const fieldTypes = ['text', 'date'] as const
export type FieldType = (typeof fieldTypes)[number]
export type EntityType = 'contact' | 'property'

export const CustomField = named(
  'CustomField',
  object({
    id: AnyId,
    name: Type.String(),
    type: literals(fieldTypes),
    createdAt: Timestamp,
    createdBy: nullable(AnyId),
    predefined: Type.Boolean(),
    entityType: literals(['contact', 'property']),
  }),
)
export type CustomField = Static<typeof CustomField>

export const CustomFieldRequest = object({ name: DisplayName, type: literals(fieldTypes) })

const importStatuses = ['queued', 'processing', 'completed', 'failed'] as const

export const ImportStatus = named(
  'ContactImport',
  object({
    importId: AnyId,
    status: literals(importStatuses),
    totalRows: Type.Integer({ description: 'known once the file has been inspected' }),
    successCount: Type.Integer(),
    failedCount: Type.Integer(),
    errors: Type.Array(
      object({
        row: Type.Integer({
          description: 'counts data records from 1; 0 is the header, or the file as a whole',
        }),
        column: Type.String(),
        message: Type.String(),
      }),
      {
        description:
          'the first 1,000; includes a notice for each row that repeats the phone number of an earlier row',
      },
    ),
  }),
)
export type ImportStatus = Static<typeof ImportStatus>

export const ImportSummary = named(
  'ContactImportSummary',
  object({
    importId: AnyId,
    status: literals(importStatuses),
    filename: Type.String(),
    size: Type.Integer({ description: 'bytes' }),
    dryRun: Type.Boolean(),
    createdBy: AnyId,
    createdAt: Timestamp,
    finishedAt: nullable(Timestamp),
    totalRows: Type.Integer(),
    successCount: Type.Integer(),
    failedCount: Type.Integer(),
    createdCount: Type.Integer({
      description:
        'contacts that were created, or by a dry run those that no contact matches yet; other rows updated contacts',
    }),
    errorCount: Type.Integer({ description: 'stored errors and notices, at most 1,000' }),
  }),
)
export type ImportSummary = Static<typeof ImportSummary>

export const ImportPreview = named(
  'ContactImportPreview',
  object({
    separator: Type.String(),
    encoding: literals(['utf-8', 'windows-1252']),
    columns: Type.Array(
      object({
        header: Type.String(),
        suggestion: Type.String({ description: 'an element of the `mapping` of an import' }),
      }),
    ),
    rows: Type.Array(Type.Array(Type.String()), {
      description: 'the first 20, with one cell for each column; cells are cut after 200 characters',
    }),
  }),
)

export const DuplicateGroup = named(
  'DuplicateContacts',
  object({
    reason: literals(['email', 'name']),
    count: Type.Integer({ description: 'contacts of the group' }),
    contacts: Type.Array(Contact, { description: 'at most ten of them' }),
  }),
)

const Flag = literals(['true', 'false'])
export const ImportForm = object({
  file: Type.String({ format: 'binary', description: 'CSV with a header; at most 1 GiB and 2,000,000 rows' }),
  dryRun: Type.Optional({ ...Flag, description: 'extension: validates the file without writing contacts' }),
  createFields: Type.Optional({
    ...Flag,
    description: 'extension: creates a text custom field for each unknown column',
  }),
  mapping: Type.Optional(
    Type.String({
      description:
        'extension: a JSON array with what each column of the file becomes: `name`, `phone`, `contactId`, `tags`, `field:` and the id of a custom field, `new:` and the name of a custom field (needs `createFields`), or `skip`',
    }),
  ),
})
