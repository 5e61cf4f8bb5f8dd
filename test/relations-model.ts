/** One thing that somebody does; what of it an action does not need is left alone. */
export interface Step {
  action: Action
  /** Who acts, and towards whom: their places among the people. */
  from: number
  to: number
  /** Of a follow: whether their boosts are shown; undefined: as before. */
  reblogs: boolean | undefined
  /** Of a mute. */
  notifications: boolean
  seconds: number
  /** Its place among the domains. */
  domain: number
}

type Action = (typeof ACTIONS)[number]
export const ACTIONS = [
  'follow',
  'unfollow',
  'remove',
  'grant',
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

/** What passes with a `wait`. */
export const WAIT_SECONDS = 3_600

interface Mute {
  notifications: boolean
  /** null: for ever. */
  until: number | null
}

/** A person with what they did to others, each by their place. */
interface Somebody {
  /** null: of here. */
  domain: string | null
  locked: boolean
  /** With whether boosts are shown. */
  follows: Map<number, boolean>
  requests: Map<number, boolean>
  blocks: Set<number>
  mutes: Map<number, Mute>
  endorses: Set<number>
  domains: Set<string>
}

/** The rules between people, as one would tell them: plain sets, no database. */
export class RelationsModel {
  readonly people: Somebody[]
  readonly #domains: readonly string[]
  #seconds = 0

  /** `homes`: each person's domain, null for here. `domains`: those that can be blocked. */
  constructor({ homes, domains }: { homes: readonly (string | null)[]; domains: readonly string[] }) {
    this.#domains = domains
    this.people = homes.map((domain) => ({
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

  /** False when the deed is refused. */
  do(step: Step): boolean {
    const { action, from, to } = step
    const [self, other] = [this.people[from]!, this.people[to]!]
    switch (action) {
      case 'follow':
        return this.#follow(step)
      case 'unfollow':
        this.#part(from, to)
        return true
      case 'remove':
        this.#endFollow(to, from)
        return true
      case 'grant':
        return this.#grant(to, from)
      case 'reject': {
        // Elsewhere a refusal also ends what was granted before.
        const had = other.requests.delete(from)
        return self.domain === null ? had : this.#endFollow(to, from) || had
      }
      case 'block':
        if (from === to) return true
        self.blocks.add(to)
        this.#part(from, to)
        this.#part(to, from)
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
        for (const place of this.people.keys()) {
          if (!this.blocksDomainOf(from, place)) continue
          this.#part(from, place)
          this.#part(place, from)
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
        for (const place of this.people.keys()) this.#grant(place, from)
        return true
      case 'wait':
        this.#seconds += WAIT_SECONDS
        for (const { mutes } of this.people) {
          for (const [place, { until }] of mutes) if (until !== null && until <= this.#seconds) mutes.delete(place)
        }
        return true
    }
  }

  blocksDomainOf(from: number, to: number): boolean {
    const { domain } = this.people[to]!
    return domain !== null && [...this.people[from]!.domains].some((one) => `.${domain}`.endsWith(`.${one}`))
  }

  /** The places of those who have this in a set of theirs. */
  whoHas(kind: 'follows' | 'requests' | 'blocks', place: number): number[] {
    return [...this.people.keys()].filter((one) => this.people[one]![kind].has(place))
  }

  #follow({ from, to, reblogs }: Step): boolean {
    const [self, other] = [this.people[from]!, this.people[to]!]
    if (from === to || self.blocks.has(to) || other.blocks.has(from)) return false
    if (this.blocksDomainOf(from, to) || this.blocksDomainOf(to, from)) return false
    const known = [self.follows, self.requests].find((one) => one.has(to))
    if (known) known.set(to, reblogs ?? known.get(to)!)
    else (other.locked || other.domain !== null ? self.requests : self.follows).set(to, reblogs ?? true)
    return true
  }

  #grant(asker: number, asked: number): boolean {
    const { requests, follows } = this.people[asker]!
    const reblogs = requests.get(asked)
    if (reblogs === undefined) return false
    requests.delete(asked)
    follows.set(asked, reblogs)
    return true
  }

  #part(from: number, to: number): void {
    this.#endFollow(from, to)
    this.people[from]!.requests.delete(to)
  }

  #endFollow(from: number, to: number): boolean {
    this.people[from]!.endorses.delete(to)
    return this.people[from]!.follows.delete(to)
  }
}
