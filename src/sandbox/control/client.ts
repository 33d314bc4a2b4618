/** Client for the control API of a sandbox in another process. */
import { ControlError, type SandboxControl } from './control.ts'

export function connectSandbox({ url, token }: { url: string; token: string }): SandboxControl {
  async function call(name: string, args: object): Promise<never> {
    const response = await fetch(`${url}/control/${name}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(args),
    })
    const body = (await response.json()) as { result?: unknown; error?: string }
    if (response.status === 400) throw new ControlError(body.error)
    if (!response.ok)
      throw new Error(`sandbox control call ${name} failed with ${response.status}: ${body.error}`)
    return body.result as never
  }
  return {
    inbound: (account, inbound) => call('inbound', { ...account, inbound }),
    sent: (account, to) => call('sent', { ...account, to }),
    advanceClock: (seconds, accounts) => call('advanceClock', { seconds, accounts }),
    setFaults: (faults, accounts) => call('setFaults', { faults, accounts }),
    clearFaults: accounts => call('clearFaults', { accounts }),
    event: (account, field, value) => call('event', { ...account, field, value }),
    decideTemplate: decision => call('decideTemplate', decision),
    pendingCallbacks: accounts => call('pendingCallbacks', { accounts }),
    requests: () => call('requests', {}),
    reset: () => call('reset', {}),
  }
}
