import { statement } from '../../platform/db/connect.ts'
import type { Read } from '../context.ts'

/** What the server tells of itself. */
export interface Site {
  title: string
  description: string
  contactEmail: string
  contactAccountId: string | null
  languages: string[]
}

const load = statement<{ name: string; value: unknown }>(
  `select name, value from settings where name in ('site_title', 'site_description', 'site_contact_email')`,
)

// The first owner is whom people turn to, until somebody else is named.
const findContact = statement<{ account_id: string; email: string; locale: string }>(
  `select u.account_id, u.email, u.locale from users u where u.role_id = 3 order by u.id limit 1`,
)

/** The site's own words; a fresh server is called by its domain. */
export async function readSite(read: Read): Promise<Site> {
  const [settings, [contact]] = await Promise.all([load(read.db, []), findContact(read.db, [])])
  const text = (name: string) => {
    const value = settings.find((row) => row.name === name)?.value
    return typeof value === 'string' ? value : ''
  }
  return {
    title: text('site_title') || read.config.webDomain,
    description: text('site_description'),
    contactEmail: text('site_contact_email'),
    contactAccountId: contact?.account_id ?? null,
    languages: [contact?.locale ?? 'en'],
  }
}

export interface Counts {
  users: number
  statuses: number
  domains: number
  activeMonth: number
  activeHalfYear: number
}

const count = statement<Counts>(
  `select count(*)::int as users, coalesce(sum(st.statuses_count), 0)::int as statuses,
     (select count(distinct domain)::int from accounts where domain is not null) as domains,
     count(*) filter (where u.last_seen_at > now() - interval '4 weeks')::int as "activeMonth",
     count(*) filter (where u.last_seen_at > now() - interval '24 weeks')::int as "activeHalfYear"
   from users u join accounts a on a.id = u.account_id join account_stats st on st.account_id = u.account_id
   where u.confirmed_at is not null and u.approved and a.suspended_at is null`,
)

/** How many people and statuses are here. */
export async function countSite(read: Read): Promise<Counts> {
  const [row] = await count(read.db, [])
  return row!
}
