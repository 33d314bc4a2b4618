/** Compares the names of the audit log's actions with the actions that the service records. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { auditActions } from '../../../src/identity/audit-actions.ts'
import { projectRoot } from '../../../src/platform/project-root.ts'
import { actionNames } from './action-names.ts'

const folder = path.join(projectRoot, 'src')

/** The functions that record an action, with what each puts before the text of its callers. */
const recorders = {
  recordAudit: [''],
  recordInvitation: [''],
  recordChange: ['journey.', 'chatbot.'],
  recordCampaignChange: ['campaign.'],
  recordKeyAudit: ['webhook.signing_key_'],
}

/** Returns the texts in a part of a source; `${kind}` is that of a workflow. */
const listTexts = (source: string) =>
  [...source.matchAll(/'([a-z_.]+)'|`\$\{(?:row\.)?kind\}(\.[a-z_]+)`/g)].flatMap(([, text, end]) =>
    text ? [text] : [`journey${end}`, `chatbot${end}`],
  )

/** Returns the texts of the calls in a source as actions; some calls have a constant or a parameter instead of the text. */
function listRecorded(source: string): string[] {
  const called = Object.entries(recorders).filter(([name]) => source.includes(`${name}(`))
  return called.flatMap(([name, starts]) => {
    const calls = [...source.matchAll(new RegExp(`\\b${name}\\((?:[^()]|\\([^()]*\\))*`, 'g'))].map(String)
    const constants = [...source.matchAll(/\b(?:const action =|changeStatus\().*/g)].map(String)
    return [...calls, ...constants].flatMap(listTexts).flatMap(text => starts.map(start => `${start}${text}`))
  })
}

describe('actions of the audit log', () => {
  // That no other is recorded is a matter of the type of `recordAudit`.
  test('each action of the list is recorded', () => {
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      file => file.endsWith('.ts') && !file.endsWith('.test.ts'),
    )
    const recorded = new Set(
      sources.flatMap(file => listRecorded(readFileSync(path.join(folder, file), 'utf8'))),
    )
    expect(auditActions.filter(action => !recorded.has(action))).toEqual([])
  })

  test.each(['en', 'de'] as const)(
    'each has one name of its own in %s, and its resource a title',
    language => {
      const { actions, resources } = actionNames[language]
      expect(Object.keys(actions)).toEqual([...auditActions])
      expect(new Set(Object.values(actions)).size).toBe(auditActions.length)
      expect(new Set(auditActions.map(action => action.split('.')[0]))).toEqual(
        new Set(Object.keys(resources)),
      )
    },
  )
})
