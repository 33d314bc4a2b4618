/** Effects that are built on first use: most steps have none, and a batch of runs combines the most frequent ones. */
import type { Effects } from '../../nodes/node-type.ts'

type Args<Name extends keyof Effects> = Parameters<Effects[Name]>

/** Methods of the class, because thousands of runs per minute would each create a dozen functions. */
export class LazyEffects implements Effects {
  private readonly build: () => Effects
  private built: Effects | undefined

  constructor(build: () => Effects) {
    this.build = build
  }

  private get effects(): Effects {
    this.built ??= this.build()
    return this.built
  }

  send(...args: Args<'send'>) {
    return this.effects.send(...args)
  }
  addTag(...args: Args<'addTag'>) {
    return this.effects.addTag(...args)
  }
  removeTag(...args: Args<'removeTag'>) {
    return this.effects.removeTag(...args)
  }
  setField(...args: Args<'setField'>) {
    return this.effects.setField(...args)
  }
  setOptOut(...args: Args<'setOptOut'>) {
    return this.effects.setOptOut(...args)
  }
  assign(...args: Args<'assign'>) {
    return this.effects.assign(...args)
  }
  handOff(...args: Args<'handOff'>) {
    return this.effects.handOff(...args)
  }
  closeConversation() {
    return this.effects.closeConversation()
  }
  note(...args: Args<'note'>) {
    return this.effects.note(...args)
  }
  emitEvent(...args: Args<'emitEvent'>) {
    return this.effects.emitEvent(...args)
  }
  startJourney(...args: Args<'startJourney'>) {
    return this.effects.startJourney(...args)
  }
}
