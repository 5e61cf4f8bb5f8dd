import { usableAccount } from '../access/usable-account.ts'
import { blocksDomainOfId } from '../access/user-domain-blocks.ts'

/**
 * Whether an account can be added to a collection of the curator. `automatic`: yes. `manual`: the account decides about
 * a request. `denied`: no. `missing`: the account's server does not support collections. `unknown`: the server has an
 * unsupported policy, which counts as denied.
 */
export type FeatureApproval = 'automatic' | 'manual' | 'denied' | 'missing' | 'unknown'

/**
 * SQL for the `FeatureApproval` of an account. `curator`: the parameter with the account id of the curator; null
 * (anonymous) is denied. `a`, `u`: the aliases of `accounts` and of the left-joined `users`. Discoverable local
 * accounts can be added, and every account can add itself.
 */
export function featureApproval(curator: string, a = 'a', u = 'u'): string {
  const curatorId = `${curator}::bigint`
  // The offset keeps the planner from reading all relationships of the account instead of one index lookup per pair.
  const blocks = (blocker: string, blocked: string) =>
    `exists (select from blocks b where b.account_id = ${blocker} and b.target_account_id = ${blocked} offset 0)`
  const follows = (follower: string, followed: string) =>
    `exists (select from follows f where f.account_id = ${follower} and f.target_account_id = ${followed} offset 0)`
  const allows = (words: string) => `('public' = any(${words})
    or 'followers' = any(${words}) and ${follows(curatorId, `${a}.id`)}
    or 'following' = any(${words}) and ${follows(`${a}.id`, curatorId)})`
  return `case
    when ${curatorId} is null or not ${usableAccount(a, u)} then 'denied'
    when ${a}.id = ${curatorId} then 'automatic'
    when ${blocks(`${a}.id`, curatorId)} or ${blocks(curatorId, `${a}.id`)} then 'denied'
    when ${a}.domain is null then
      case when ${a}.discoverable and not ${blocksDomainOfId(`${a}.id`, curatorId)} then 'automatic' else 'denied' end
    when ${a}.feature_automatic is null and ${a}.feature_manual is null then 'missing'
    when ${allows(`${a}.feature_automatic`)} then 'automatic'
    when ${allows(`${a}.feature_manual`)} then 'manual'
    when 'unsupported_policy' = any(${a}.feature_automatic || ${a}.feature_manual) then 'unknown'
    else 'denied' end`
}
