import { usableAccount } from '../accounts/usable.ts'
import { blocksDomainOfId } from '../relationships/domain-blocking.ts'

/**
 * What comes of it when somebody wants to put an account into a collection. `automatic`: they may · `manual`: they may
 * ask, and its owner decides · `denied` · `missing`: its server does not know of collections · `unknown`: its server has
 * a rule that is not known here, so it counts as denied.
 */
export type FeatureApproval = 'automatic' | 'manual' | 'denied' | 'missing' | 'unknown'

/**
 * The same as SQL, over the aliases of `accounts` and of its row of `users`, joined from the left. `curator` is the
 * parameter with the id of the one who wants it; null stands for nobody, who may not. Of people here those may be
 * featured who want to be discovered; everybody may feature themselves.
 */
export function featureApproval(curator: string, a = 'a', u = 'u'): string {
  const by = `${curator}::bigint`
  // One question for each account, by the index: the offset keeps the planner from reading everybody's relations instead.
  const blocks = (who: string, whom: string) =>
    `exists (select from blocks b where b.account_id = ${who} and b.target_account_id = ${whom} offset 0)`
  const follows = (who: string, whom: string) =>
    `exists (select from follows f where f.account_id = ${who} and f.target_account_id = ${whom} offset 0)`
  const allows = (words: string) => `('public' = any(${words})
    or 'followers' = any(${words}) and ${follows(by, `${a}.id`)}
    or 'following' = any(${words}) and ${follows(`${a}.id`, by)})`
  return `case
    when ${by} is null or not ${usableAccount(a, u)} then 'denied'
    when ${a}.id = ${by} then 'automatic'
    when ${blocks(`${a}.id`, by)} or ${blocks(by, `${a}.id`)} then 'denied'
    when ${a}.domain is null then
      case when ${a}.discoverable and not ${blocksDomainOfId(`${a}.id`, by)} then 'automatic' else 'denied' end
    when ${a}.feature_automatic is null and ${a}.feature_manual is null then 'missing'
    when ${allows(`${a}.feature_automatic`)} then 'automatic'
    when ${allows(`${a}.feature_manual`)} then 'manual'
    when 'unsupported_policy' = any(${a}.feature_automatic || ${a}.feature_manual) then 'unknown'
    else 'denied' end`
}
