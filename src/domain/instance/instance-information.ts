import { statement } from '../../platform/db/statement.ts'
import { usableAccount, usableUser } from '../access/usable-account.ts'
import { hasRemoteDomain } from '../accounts/remote/former-handle.ts'
import type { Read } from '../context.ts'
import { readSettings } from './instance-settings.ts'

/** The server's description of itself, for Mastodon's Instance entity. */
export interface InstanceInformation {
  title: string
  description: string
  contactEmail: string
  contactAccountId: string | null
  languages: string[]
}

const findContact = statement<{ params: { username: string }; row: { account_id: string } }>(
  `select u.account_id from users u join accounts a on a.id = u.account_id
   where lower(a.username) = lower($username) and a.domain is null and ${usableAccount()}`,
)
const findOwner = statement<{ row: { account_id: string; locale: string } }>(
  `select u.account_id, u.locale from users u join accounts a on a.id = u.account_id
   where u.role_id = 3 and ${usableUser()} order by u.id limit 1`,
)

/**
 * Returns the title, description, contact and languages of the server. The title is the domain unless it is set, and
 * the contact account is the first owner who can use the server, unless another local account is set.
 */
export async function readInstanceInformation(read: Read): Promise<InstanceInformation> {
  const [settings, [owner]] = await Promise.all([readSettings(read), findOwner(read.db)])
  const username = settings['contact-account']
  const [contact] = username === '' ? [] : await findContact(read.db, { username })
  return {
    title: settings.title,
    description: settings.description,
    contactEmail: settings['contact-email'],
    contactAccountId: contact?.account_id ?? owner?.account_id ?? null,
    languages: [owner?.locale ?? 'en'],
  }
}

export interface InstanceCounts {
  users: number
  statuses: number
  domains: number
  activeMonth: number
  activeHalfYear: number
}

const count = statement<{ row: InstanceCounts }>(
  `select count(*)::int as users, coalesce(sum(st.statuses_count), 0)::int as statuses,
     (select count(distinct remote.domain)::int from accounts remote where ${hasRemoteDomain('remote')}) as domains,
     count(*) filter (where u.last_seen_at > now() - interval '4 weeks')::int as "activeMonth",
     count(*) filter (where u.last_seen_at > now() - interval '24 weeks')::int as "activeHalfYear"
   from users u join accounts a on a.id = u.account_id join account_stats st on st.account_id = u.account_id
   where u.confirmed_at is not null and u.approved and a.suspended_at is null`,
)

/** Counts local users and statuses, known remote domains, and users that were active in the last 4 and 24 weeks. */
export async function countInstance(read: Read): Promise<InstanceCounts> {
  const [row] = await count(read.db)
  return row!
}
