import {
  mergeAccountsIntoFeeds,
  removeAccountsFromFeeds,
  separateFeedsOfPairs,
} from '../domain/timelines/feeds/merge-into-feeds.ts'
import { batched } from './effect-table.ts'

// The effects of relationships on feeds. Imports, moves and blocks of domains cause hundreds of them for one user. Events
// of several tables have them; jobs with one name run one function.

export const mergeIntoFeeds = batched(mergeAccountsIntoFeeds)
export const removeFromFeeds = batched(removeAccountsFromFeeds)
export const separateFeeds = batched(separateFeedsOfPairs)
