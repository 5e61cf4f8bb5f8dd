import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { readSettings } from './settings.ts'

/** What the server tells of itself. */
export interface Site {
  title: string
  description: string
  contactEmail: string
  contactAccountId: string | null
  languages: string[]
}

const findContact = statement<{ params: { named: string }; row: { account_id: string } }>(
  `select u.account_id from users u join accounts a on a.id = u.account_id
   where lower(a.username) = lower($named) and a.domain is null and a.suspended_at is null`,
)
const findOwner = statement<{ row: { account_id: string; locale: string } }>(
  `select u.account_id, u.locale from users u join accounts a on a.id = u.account_id
   where u.role_id = 3 and a.suspended_at is null order by u.id limit 1`,
)

/** The site's own words; a fresh server is called by its domain. Unless somebody else is named, people turn to the first owner. */
export async function readSite(read: Read): Promise<Site> {
  const [settings, [owner]] = await Promise.all([readSettings(read), findOwner(read.db)])
  const named = settings['contact-account']
  const [contact] = named === '' ? [] : await findContact(read.db, { named })
  return {
    title: settings.title,
    description: settings.description,
    contactEmail: settings['contact-email'],
    contactAccountId: contact?.account_id ?? owner?.account_id ?? null,
    languages: [owner?.locale ?? 'en'],
  }
}

export interface Counts {
  users: number
  statuses: number
  domains: number
  activeMonth: number
  activeHalfYear: number
}

const count = statement<{ row: Counts }>(
  `select count(*)::int as users, coalesce(sum(st.statuses_count), 0)::int as statuses,
     (select count(distinct domain)::int from accounts where domain is not null) as domains,
     count(*) filter (where u.last_seen_at > now() - interval '4 weeks')::int as "activeMonth",
     count(*) filter (where u.last_seen_at > now() - interval '24 weeks')::int as "activeHalfYear"
   from users u join accounts a on a.id = u.account_id join account_stats st on st.account_id = u.account_id
   where u.confirmed_at is not null and u.approved and a.suspended_at is null`,
)

/** How many people and statuses are here. */
export async function countSite(read: Read): Promise<Counts> {
  const [row] = await count(read.db)
  return row!
}
