/** Preferences of a user: an object that only clients interpret. */
import Type from 'typebox'
import { named } from '../platform/http/schemas.ts'

export const maxPreferencesBytes = 64 * 1024

export const Preferences = named(
  'Preferences',
  Type.Record(Type.String(), Type.Unknown(), { description: 'any members; clients define their meaning' }),
)
