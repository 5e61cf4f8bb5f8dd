import { accessSync, constants, statSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { canonicalDomain } from '../../lib/usernames.ts'

/** Reads settings from an environment and collects all invalid values instead of stopping at the first. */
export class EnvironmentReader {
  readonly problems: string[] = []
  /** All names that were read: the settings that exist. */
  readonly knownNames = new Set<string>()
  readonly env: NodeJS.ProcessEnv

  constructor(env: NodeJS.ProcessEnv) {
    this.env = env
  }

  /** Returns null if the setting is missing or blank. */
  text(name: string): string | null {
    this.knownNames.add(name)
    const value = this.env[name]?.trim()
    return value ? value : null
  }

  /** Returns the values of a list that is separated by commas or white space. */
  list(name: string): string[] | null {
    return (
      this.text(name)
        ?.split(/[\s,]+/)
        .filter(Boolean) ?? null
    )
  }

  reportProblem(name: string, why: string): void {
    this.problems.push(`${name} ${why}`)
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    const value = this.text(name)
    if (value === null) return fallback
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    if (number >= min && number <= max) return number
    this.reportProblem(name, `must be a whole number from ${min} to ${max}, not "${value}"`)
    return fallback
  }

  choice<T extends string>(name: string, fallback: T, choices: readonly T[]): T
  choice<T extends string>(name: string, fallback: null, choices: readonly T[]): T | null
  choice<T extends string>(name: string, fallback: T | null, choices: readonly T[]): T | null {
    const value = this.text(name)
    if (value === null) return fallback
    if (choices.includes(value as T)) return value as T
    this.reportProblem(name, `must be one of ${choices.join(', ')}, not "${value}"`)
    return fallback
  }

  flag(name: string): boolean | null {
    const value = this.text(name)
    if (value === null) return null
    if (['true', '1', 'yes', 'on'].includes(value.toLowerCase())) return true
    if (['false', '0', 'no', 'off'].includes(value.toLowerCase())) return false
    this.reportProblem(name, `must be true or false, not "${value}"`)
    return null
  }

  /** Returns a domain in its canonical form, without the port 443, which URLs do not contain. */
  domain(name: string, fallback: string): string {
    const value = this.text(name)
    if (value === null) return fallback
    const domain = canonicalDomain(value, { keepPort: true })
    if (domain !== null && !domain.includes('_')) return domain
    this.reportProblem(name, `must be a domain such as social.example, not "${value}"`)
    return fallback
  }

  readableFile(name: string): string | null {
    const value = this.text(name)
    if (value === null) return null
    try {
      accessSync(value, constants.R_OK)
      if (statSync(value).isFile()) return resolve(value)
    } catch {
      // Reported below, like a path that is not a file.
    }
    this.reportProblem(name, `names a file that cannot be read: ${value}`)
    return null
  }

  /** Returns a host name or an IP address, without brackets. `expected` says what the setting may be. */
  host(name: string, expected = 'a host name or an IP address'): string | null {
    const value = this.text(name)
    if (value === null) return null
    const host = value.replace(/^\[(.*:.*)\]$/, '$1')
    if (isIPv6(host) || /^[a-z\d_-]+(\.[a-z\d_-]+)*\.?$/i.test(host)) return host
    this.reportProblem(name, `must be ${expected}, without a port, not "${value}"`)
    return null
  }

  /** Returns the URL of a database, with the mode of TLS that pg applies. */
  postgresUrl(name: string): string | null {
    const url = this.text(name)
    if (url === null) return null
    // The message does not repeat the URL because it contains a password.
    if (!/^postgres(ql)?:\/\/./.test(url) || !URL.canParse(url))
      this.reportProblem(name, 'must be an address such as postgresql://user:password@host/name')
    if (/[?&]uselibpqcompat=true(&|$)/.test(url)) return url
    // pg verifies the certificate with these modes, too, but prints a warning of several lines in each process that it
    // may stop doing so.
    return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')
  }

  readableFolder(name: string): string | null {
    const value = this.text(name)
    if (value === null) return null
    try {
      accessSync(value, constants.R_OK | constants.X_OK)
      if (statSync(value).isDirectory()) return resolve(value)
    } catch {
      // Reported below, like a path that is not a folder.
    }
    this.reportProblem(name, `names a folder that cannot be read: ${value}`)
    return null
  }

  /** Reports each of the names that is set although `other` is not set: they have no effect without it. */
  requireSetting(other: string, names: readonly string[]): void {
    for (const name of names) if (this.text(name) !== null) this.reportProblem(name, `is set without ${other}`)
  }

  /** Returns IP addresses and CIDR ranges. */
  ranges(name: string, fallback: readonly string[]): string[] {
    const ranges = this.list(name) ?? fallback
    return ranges.filter((range) => {
      if (ipaddr.isValid(range) || ipaddr.isValidCIDR(range)) return true
      this.reportProblem(name, `must list IP addresses or ranges, not "${range}"`)
      return false
    })
  }
}
