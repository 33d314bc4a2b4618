import Type from 'typebox'
import { everyone } from '../../identity/rights/roles.ts'
import { section } from '../../platform/http/route.ts'
import { object } from '../../platform/http/schemas.ts'
import { MacroLimitReached, MacroNotFound, SharingForbidden } from '../errors.ts'
import { createMacro, deleteMacro, updateMacro } from '../macros/macros.ts'
import { getRunnableActions, runMacro } from '../macros/run-macro.ts'
import { Macro, MacroPatch, MacroResult, MacroRun, macroActionScopes, NewMacro } from '../macros/schemas.ts'
import { listMacros } from '../store/macros.ts'

const route = section('Macros', { extension: true })

export const macroRoutes = [
  route('GET /macros', {
    operationId: 'listMacros',
    summary: 'List your own and the shared macros',
    description: 'By name. Owners and admins also see those of teams that they are not members of.',
    access: { scopes: ['macro:list'], roles: everyone },
    success: { status: 200, body: object({ macros: Type.Array(Macro) }) },
    handle: async ({ db, caller }) => ({ macros: await listMacros(db, caller) }),
  }),
  route('POST /macros', {
    operationId: 'createMacro',
    summary: 'Create a macro',
    description:
      'A list of actions that are run in order. In `assign`, the id `me` of a user is the user who runs the macro. Private unless `scope` says otherwise: owners and admins share with the workspace, agents with their own teams.',
    access: { scopes: ['macro:create'], roles: everyone },
    body: NewMacro,
    example: {
      name: 'Thank and close',
      actions: [
        { type: 'reply', text: 'Thank you, {{contact.firstName | default: "see you soon"}}!' },
        { type: 'setPriority', priority: null },
        { type: 'close' },
      ],
    },
    success: { status: 201, body: Macro },
    errors: [MacroLimitReached, SharingForbidden],
    handle: ({ write, caller, body }) => write(tx => createMacro(tx, caller, body)),
  }),
  route('PATCH /macros/{id}', {
    operationId: 'updateMacro',
    summary: 'Change a macro',
    description:
      'Properties that are left out stay as they are; `actions` are replaced as a whole. The one of a workspace is changed by owners and admins, the one of teams also by members of all of them.',
    access: { scopes: ['macro:update'], roles: everyone },
    body: MacroPatch,
    example: { name: 'Close' },
    success: { status: 200, body: Macro },
    errors: [MacroNotFound, MacroLimitReached, SharingForbidden],
    handle: ({ write, caller, params, body }) => write(tx => updateMacro(tx, caller, params.id, body)),
  }),
  route('DELETE /macros/{id}', {
    operationId: 'deleteMacro',
    summary: 'Delete a macro',
    description: 'Conversations are not affected.',
    access: { scopes: ['macro:delete'], roles: everyone },
    success: { status: 204 },
    errors: [MacroNotFound, SharingForbidden],
    handle: ({ write, caller, params }) => write(tx => deleteMacro(tx, caller, params.id)),
  }),
  route('POST /macros/{id}/run', {
    operationId: 'runMacro',
    summary: 'Run a macro on conversations',
    description:
      'Runs the actions in order on each conversation, with your rights. A conversation on which an action fails stays as it was and is reported in the results; the others are changed. With an Idempotency-Key, a repeated request returns the first results and has no second effect.',
    access: {
      scopes: ['macro:run'],
      roles: everyone,
      conditionalScopes: Object.entries(macroActionScopes).flatMap(([type, scopes]) =>
        scopes.map(scope => ({ when: `the macro has the action ${type}`, scope })),
      ),
    },
    body: MacroRun,
    example: { conversationIds: ['cnv_01k4xq7d9hfk3b0m6a7yz2c5rc'] },
    success: { status: 200, body: object({ results: Type.Array(MacroResult) }) },
    errors: [MacroNotFound],
    handle: async context => {
      const { db, write, caller, strict, params, body } = context
      const actions = await getRunnableActions(db, caller, params.id)
      return write(tx => runMacro({ deps: context, caller, strict }, tx, actions, body.conversationIds))
    },
  }),
]
