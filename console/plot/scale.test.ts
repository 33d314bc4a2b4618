import { expect, test } from 'vitest'
import { findNearest, listTicks, pickLabels } from './scale.ts'

test('ticks are round, begin at zero and cover the maximum', () => {
  expect(listTicks(0)).toEqual([0, 1])
  expect(listTicks(3)).toEqual([0, 1, 2, 3])
  expect(listTicks(97)).toEqual([0, 50, 100])
  expect(listTicks(500, 60)).toEqual([0, 300, 600])
  for (const max of [1, 2, 9, 11, 480, 10_000, 123_456]) {
    const ticks = listTicks(max)
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(max)
    expect(ticks.length).toBeLessThanOrEqual(6)
  }
})

test('labels have equal distances', () => {
  expect(pickLabels(0, 5)).toEqual([])
  expect(pickLabels(1, 2)).toEqual([0])
  expect(pickLabels(3, 5)).toEqual([0, 1, 2])
  expect(pickLabels(7, 6)).toEqual([0, 2, 4, 6])
  expect(pickLabels(30, 6)).toEqual([0, 6, 12, 18, 24])
  expect(pickLabels(300, 4)).toEqual([0, 100, 200])
})

test('the nearest value is found', () => {
  expect(findNearest([0, 10, 20], 14)).toBe(1)
  expect(findNearest([0, 10, 20], 99)).toBe(2)
})
