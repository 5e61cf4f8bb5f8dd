/**
 * SQL for the ActivityPub id of a collection. The ids of local collections and items derive from the id of the owner,
 * which never changes. Aliases: `c` the collection, `i` its item, `o` the owner's account, `t` the featured account.
 */
export function collectionUri(c = 'c', o = 'o'): string {
  return `coalesce(${c}.uri, ${o}.uri || '/collections/' || ${c}.id)`
}

/** SQL for the ActivityPub id of a collection item. */
export function itemUri(i = 'i', o = 'o'): string {
  return `coalesce(${i}.uri, ${o}.uri || '/collection_items/' || ${i}.id)`
}

/** SQL for the id of the featured account's approval; null while a remote account has not accepted. */
export function approvalUri(i = 'i', t = 't'): string {
  return `coalesce(${i}.approval_uri, case when ${t}.domain is null then ${t}.uri || '/feature_authorizations/' || ${i}.id end)`
}
