/**
 * Refuses passwords that are easy to guess: what remains without common words, keyboard and number sequences, years and
 * personal words must have a minimum length. Look-alike characters (`P@ssw0rd`) do not help.
 */
import { invalid, violation } from '../../platform/errors.ts'
import { commonWords } from './common-words.ts'

/** Words of the account, which an attacker tries first. */
export interface PasswordContext {
  email: string
  workspace: string
}

const minRemaining = 6
const minPersonalWord = 4

const rows = ['01234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', '!@#$%^&*()']
const reverse = (text: string) => [...text].reverse().join('')
const sequences = rows.flatMap(row =>
  Array.from(row.slice(2), (_, i) => row.slice(i, i + 3)).flatMap(part => [part, reverse(part)]),
)

const lookAlikes: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}
const toLetters = (text: string) => text.replace(/[013457@$!]/g, sign => lookAlikes[sign]!)
const fold = (text: string) => text.normalize('NFKC').toLowerCase()

function toPattern(words: readonly string[]): RegExp {
  const escaped = words.map(word => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(escaped.sort((a, b) => b.length - a.length).join('|') || '(?!)', 'g')
}
const known = toPattern([...commonWords, ...sequences])

/** Counts the characters that are hard to guess; a repeated character or block counts once. */
function countRemaining(text: string, personal: RegExp): number {
  const rest = text
    .replace(personal, '')
    .replace(known, '')
    .replace(/(19|20)\d\d/g, '')
    .replace(/(.{1,8}?)\1+/g, '$1')
  return [...rest.replace(/\s/g, '')].length
}

export function isWeakPassword(password: string, { email, workspace }: PasswordContext): boolean {
  const personalWords = [
    ...email.split(/[@._+-]/),
    email.split('@')[0]!,
    ...workspace.split(/\s+/),
    workspace,
  ]
  const personal = toPattern(personalWords.map(fold).filter(word => word.length >= minPersonalWord))
  const text = fold(password)
  return Math.min(countRemaining(text, personal), countRemaining(toLetters(text), personal)) < minRemaining
}

export function assertStrongPassword(field: string, password: string, context: PasswordContext): void {
  if (isWeakPassword(password, context))
    invalid(
      violation(
        field,
        'weak_password',
        'is easy to guess: use several uncommon words, or random characters, without your address and the name of the workspace',
      ),
    )
}
