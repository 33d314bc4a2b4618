import { afterEach, expect, test } from 'vitest'
import { defaultKeys } from '../../actions/default-keys.ts'
import { shortcutPreferences } from '../../actions/shortcuts.ts'
import { findCollision, isReserved, listIds, screens } from './collisions.ts'

afterEach(() => shortcutPreferences.set({ isEnabled: true, keys: {} }))

test('no default keys collide or are reserved', () => {
  for (const screen of screens)
    for (const id of listIds(screen)) {
      const keys = (defaultKeys[screen] as Record<string, string>)[id]!
      expect(findCollision(id, screen, [keys]), id).toBeUndefined()
      expect(isReserved(id, keys), id).toBe(false)
    }
})

test('a key is taken by the actions of its screen, of lists and of the whole console, but not of other screens', () => {
  expect(findCollision('reply', 'conversation', ['j'])).toEqual({ screen: 'lists', id: 'next' })
  expect(findCollision('reply', 'conversation', ['?'])).toEqual({ screen: 'general', id: 'keys' })
  expect(findCollision('undo', 'general', ['-'])).toEqual({ screen: 'builder', id: 'builder-zoom-out' })
  expect(findCollision('edit-name', 'contacts', ['r'])).toBeUndefined()
  expect(findCollision('builder-fit', 'builder', ['j'])).toBeUndefined()
})

test('the first key of a sequence, and the key of a saved view, are taken', () => {
  expect(findCollision('reply', 'conversation', ['g'])?.screen).toBe('general')
  expect(findCollision('reply', 'conversation', ['*'])?.screen).toBe('lists')
  expect(findCollision('reply', 'conversation', ['8'])).toEqual({ screen: 'inbox', id: 'saved-view' })
  expect(findCollision('builder-fit', 'builder', ['8'])).toBeUndefined()
})

test('a sequence is taken by another one, by its first key alone, and by the view of its digit', () => {
  expect(findCollision('reply', 'conversation', ['g i'])?.id).toBe('go-inbox')
  expect(findCollision('reply', 'conversation', ['j q'])).toEqual({ screen: 'lists', id: 'next' })
  expect(findCollision('reply', 'conversation', ['8 q'])?.id).toBe('saved-view')
  expect(findCollision('builder-find', 'builder', ['! q', 'shift+1 q'])?.id).toBe('builder-fit')
  expect(findCollision('reply', 'conversation', ['g q'])).toBeUndefined()
  shortcutPreferences.set({ isEnabled: true, keys: { close: 'q w' } })
  expect(findCollision('reply', 'conversation', ['q'])?.id).toBe('close')
  expect(findCollision('reply', 'conversation', ['q e'])).toBeUndefined()
})

test('a symbol is taken by its digit with shift', () => {
  expect(findCollision('builder-find', 'builder', ['!', 'shift+1'])?.id).toBe('builder-fit')
})

test('a changed or disabled key is free, and the new one is taken', () => {
  shortcutPreferences.set({ isEnabled: false, keys: { next: 'w', close: '' } })
  expect(findCollision('reply', 'conversation', ['j'])).toBeUndefined()
  expect(findCollision('reply', 'conversation', ['e'])).toBeUndefined()
  expect(findCollision('reply', 'conversation', ['w'])?.id).toBe('next')
})

test('keys that operate the page or edit text are reserved, except as default keys', () => {
  for (const stroke of ['enter', ' ', 'shift+enter', 'mod+c', 'mod+z'])
    expect(isReserved('reply', stroke), stroke).toBe(true)
  expect(isReserved('builder-undo', 'mod+z')).toBe(false)
  expect(isReserved('reply', 'w')).toBe(false)
})
