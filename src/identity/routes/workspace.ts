import { section } from '../../platform/http/route.ts'
import { everyone, managers } from '../rights/roles.ts'
import { maxPreferencesBytes, Preferences, Workspace } from '../schemas.ts'
import { findPreferences } from '../store/preferences.ts'
import { savePreferences } from '../users/preferences.ts'
import { getWorkspace, updateWorkspace } from '../workspace/tenants.ts'
import { WorkspacePatch } from '../workspace/workspace-settings.ts'

const route = section('Users', { extension: true })

export const workspaceRoutes = [
  route('GET /workspace', {
    operationId: 'getWorkspace',
    summary: 'Get the workspace',
    description: 'Shows its name and settings, and whether users must have a second factor.',
    access: { scopes: ['workspace:read'], roles: everyone },
    success: { status: 200, body: Workspace },
    handle: ({ db, caller }) => getWorkspace(db, caller.tenantId),
  }),
  route('PATCH /workspace', {
    operationId: 'updateWorkspace',
    summary: 'Update the workspace',
    description:
      'All members are optional; `businessHours: null` means always open. With `retention.messageDays`, messages, notes and files that are older are deleted within hours, and closed conversations with their last message; this cannot be undone. With `secondFactorRequired`, users with a password and without a second factor can only set one up, also in sessions that are open.',
    access: { scopes: ['workspace:update'], roles: managers },
    body: WorkspacePatch,
    example: {
      name: 'Harbor Lights',
      timezone: 'Europe/Madrid',
      locale: 'es',
      businessHours: [
        { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '18:00' },
        { days: ['sat'], from: '10:00', to: '14:00' },
      ],
    },
    success: { status: 200, body: Workspace },
    handle: ({ write, caller, body, config }) => write(tx => updateWorkspace(tx, caller, body, config)),
  }),
  route('GET /users/me/preferences', {
    operationId: 'getPreferences',
    summary: 'Get your preferences',
    description: 'Returns the object that was last stored, `{}` at first.',
    access: { scopes: ['user:read_self'], roles: everyone, userOnly: true },
    success: { status: 200, body: Preferences },
    handle: ({ db, caller }) => findPreferences(db, caller.tenantId, caller.id),
  }),
  route('PUT /users/me/preferences', {
    operationId: 'replacePreferences',
    summary: 'Replace your preferences',
    description:
      'Stores any JSON object of at most 64 KiB, such as the theme, shortcuts, sounds and columns of a client.',
    access: { scopes: ['user:update_self'], roles: everyone, userOnly: true },
    body: Preferences,
    bodyLimit: maxPreferencesBytes,
    example: { theme: 'dark', sounds: { message: true } },
    success: { status: 200, body: Preferences },
    handle: ({ write, caller, body }) => write(tx => savePreferences(tx, caller, body)),
  }),
]
