/** One action; each action uses only some of the fields. */
export interface RelationshipStep {
  action: Action
  /** The actor and the target, as indexes of the accounts. */
  from: number
  to: number
  /** For a follow: whether it includes reblogs; undefined: unchanged. */
  reblogs: boolean | undefined
  /** For a mute: whether it includes notifications, and its duration; 0: without end. */
  notifications: boolean
  seconds: number
  /** The index of the domain. */
  domain: number
}

type Action = (typeof ACTIONS)[number]
export const ACTIONS = [
  'follow',
  'unfollow',
  'remove',
  'accept',
  'reject',
  'block',
  'unblock',
  'mute',
  'unmute',
  'lock',
  'unlock',
  'endorse',
  'unendorse',
  'block domain',
  'unblock domain',
  'wait',
] as const

/** The time that passes with a `wait`. */
export const WAIT_SECONDS = 3_600

interface Mute {
  notifications: boolean
  /** null: without end. */
  until: number | null
}

/** An account with its relationships, by the index of the other account. */
interface ModelAccount {
  /** null: a local account. */
  domain: string | null
  locked: boolean
  /** The values are whether the follow includes reblogs. */
  follows: Map<number, boolean>
  requests: Map<number, boolean>
  blocks: Set<number>
  mutes: Map<number, Mute>
  endorses: Set<number>
  domains: Set<string>
}

/** A simple model of the relationships between accounts, in plain sets. */
export class RelationshipsModel {
  readonly accounts: ModelAccount[]
  readonly #domains: readonly string[]
  #seconds = 0

  /** `accountDomains` are the domains of the accounts, null for local ones; `domains` those that can be blocked. */
  constructor({ accountDomains, domains }: { accountDomains: readonly (string | null)[]; domains: readonly string[] }) {
    this.#domains = domains
    this.accounts = accountDomains.map((domain) => ({
      domain,
      locked: false,
      follows: new Map(),
      requests: new Map(),
      blocks: new Set(),
      mutes: new Map(),
      endorses: new Set(),
      domains: new Set(),
    }))
  }

  /** Applies an action. Returns false if the action is rejected. */
  apply(step: RelationshipStep): boolean {
    const { action, from, to } = step
    const [self, other] = [this.accounts[from]!, this.accounts[to]!]
    switch (action) {
      case 'follow':
        return this.#follow(step)
      case 'unfollow':
        this.#removeFollow(from, to)
        return true
      case 'remove':
        this.#endFollow(to, from)
        return true
      case 'accept':
        return this.#accept(to, from)
      case 'reject': {
        // A Reject by a remote account also ends an accepted follow.
        const had = other.requests.delete(from)
        return self.domain === null ? had : this.#endFollow(to, from) || had
      }
      case 'block':
        if (from === to) return true
        self.blocks.add(to)
        this.#removeFollow(from, to)
        this.#removeFollow(to, from)
        return true
      case 'unblock':
        self.blocks.delete(to)
        return true
      case 'mute': {
        const { notifications, seconds } = step
        if (from !== to) self.mutes.set(to, { notifications, until: seconds > 0 ? this.#seconds + seconds : null })
        return true
      }
      case 'unmute':
        self.mutes.delete(to)
        return true
      case 'endorse':
        if (self.follows.has(to)) self.endorses.add(to)
        return self.follows.has(to)
      case 'unendorse':
        self.endorses.delete(to)
        return true
      case 'block domain':
        self.domains.add(this.#domains[step.domain]!)
        for (const index of this.accounts.keys()) {
          if (!this.blocksDomainOf(from, index)) continue
          this.#removeFollow(from, index)
          this.#removeFollow(index, from)
        }
        return true
      case 'unblock domain':
        self.domains.delete(this.#domains[step.domain]!)
        return true
      case 'lock':
        self.locked = true
        return true
      case 'unlock':
        self.locked = false
        for (const index of this.accounts.keys()) this.#accept(index, from)
        return true
      case 'wait':
        this.#seconds += WAIT_SECONDS
        for (const { mutes } of this.accounts) {
          for (const [index, { until }] of mutes) if (until !== null && until <= this.#seconds) mutes.delete(index)
        }
        return true
    }
  }

  blocksDomainOf(from: number, to: number): boolean {
    const { domain } = this.accounts[to]!
    return domain !== null && [...this.accounts[from]!.domains].some((one) => `.${domain}`.endsWith(`.${one}`))
  }

  /** Returns the indexes of the accounts that have this account in a set. */
  accountsWith(kind: 'follows' | 'requests' | 'blocks', index: number): number[] {
    return [...this.accounts.keys()].filter((one) => this.accounts[one]![kind].has(index))
  }

  #follow({ from, to, reblogs }: RelationshipStep): boolean {
    const [self, other] = [this.accounts[from]!, this.accounts[to]!]
    if (from === to || self.blocks.has(to) || other.blocks.has(from)) return false
    if (this.blocksDomainOf(from, to) || this.blocksDomainOf(to, from)) return false
    const known = [self.follows, self.requests].find((one) => one.has(to))
    if (known) known.set(to, reblogs ?? known.get(to)!)
    else (other.locked || other.domain !== null ? self.requests : self.follows).set(to, reblogs ?? true)
    return true
  }

  #accept(requester: number, target: number): boolean {
    const { requests, follows } = this.accounts[requester]!
    const reblogs = requests.get(target)
    if (reblogs === undefined) return false
    requests.delete(target)
    follows.set(target, reblogs)
    return true
  }

  #removeFollow(from: number, to: number): void {
    this.#endFollow(from, to)
    this.accounts[from]!.requests.delete(to)
  }

  #endFollow(from: number, to: number): boolean {
    this.accounts[from]!.endorses.delete(to)
    return this.accounts[from]!.follows.delete(to)
  }
}
