import { expect, test } from 'vitest'
import { suspectGate } from './suspects.ts'
import { deferred, pause } from './testing/rig.ts'

const hour = 3_600_000

/** Work that notes its start and end, and ends on `end()`. */
function controlled(name: string, notes: string[]) {
  const { promise, resolve } = deferred()
  const work = async () => {
    notes.push(`${name} starts`)
    await promise
    notes.push(`${name} ends`)
  }
  return { work, end: resolve }
}

test('others run at the same time', async () => {
  const gate = suspectGate(hour)
  const notes: string[] = []
  const [one, two] = [controlled('one', notes), controlled('two', notes)]
  const runs = [gate.runOther(one.work), gate.runOther(two.work)]
  await pause(0)
  expect(notes).toEqual(['one starts', 'two starts'])
  one.end()
  two.end()
  await Promise.all(runs)
})

test('a suspect waits for the others that run, and later ones wait for it', async () => {
  const gate = suspectGate(hour)
  const notes: string[] = []
  const [before, suspect, after] = [
    controlled('before', notes),
    controlled('suspect', notes),
    controlled('after', notes),
  ]
  const runs = [gate.runOther(before.work), gate.runAlone(suspect.work), gate.runOther(after.work)]
  await pause(20)
  expect(notes).toEqual(['before starts'])
  before.end()
  await pause(20)
  expect(notes).toEqual(['before starts', 'before ends', 'suspect starts'])
  suspect.end()
  after.end()
  expect(await Promise.all(runs)).toEqual([undefined, true, undefined])
  expect(notes.slice(3)).toEqual(['suspect ends', 'after starts', 'after ends'])
})

test('a second suspect does not run', async () => {
  const gate = suspectGate(hour)
  const notes: string[] = []
  const suspect = controlled('suspect', notes)
  const running = gate.runAlone(suspect.work)
  expect(await gate.runAlone(() => expect.unreachable())).toBe(false)
  suspect.end()
  expect(await running).toBe(true)
  expect(await gate.runAlone(async () => {})).toBe(true)
})

test('a suspect that fails lets the others run', async () => {
  const gate = suspectGate(hour)
  await expect(gate.runAlone(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await gate.runOther(async () => {})
  await expect(gate.runOther(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await gate.runAlone(async () => {})).toBe(true)
})

test('neither a slow suspect nor slow others are waited for without end', async () => {
  const gate = suspectGate(20)
  const notes: string[] = []
  const [before, suspect, after] = [
    controlled('before', notes),
    controlled('suspect', notes),
    controlled('after', notes),
  ]
  const first = gate.runOther(before.work)
  const second = gate.runAlone(suspect.work)
  const third = gate.runOther(after.work)
  after.end()
  await third
  expect(notes).toEqual(['before starts', 'suspect starts', 'after starts', 'after ends'])
  suspect.end()
  before.end()
  await Promise.all([first, second])
})
