import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadMessages } from '../lib/i18n/messages.ts'
import { root } from './root-route.ts'

const loadFilterMessages = { loader: () => loadMessages('filters'), staleTime: Number.POSITIVE_INFINITY }
const filterPages = () => import('./accounts/filter-pages.tsx')
const filters = createRoute({
  getParentRoute: () => root,
  path: '/filters',
  ...loadFilterMessages,
  component: lazyRouteComponent(filterPages, 'FiltersPage'),
})
const newFilter = createRoute({
  getParentRoute: () => root,
  path: '/filters/new',
  validateSearch: ({ keyword, status }: { keyword?: unknown; status?: unknown }) => ({
    // The router reads a number in the URL as a number.
    ...(typeof keyword === 'string' || typeof keyword === 'number' ? { keyword: String(keyword) } : {}),
    ...(typeof status === 'string' ? { status } : {}),
  }),
  ...loadFilterMessages,
  component: lazyRouteComponent(filterPages, 'NewFilterPage'),
})
const editFilter = createRoute({
  getParentRoute: () => root,
  path: '/filters/$id/edit',
  ...loadFilterMessages,
  component: lazyRouteComponent(filterPages, 'EditFilterPage'),
})
const annualReport = createRoute({
  getParentRoute: () => root,
  path: '/annual_reports/$year',
  loader: () => loadMessages('annual-report'),
  staleTime: Number.POSITIVE_INFINITY,
  component: lazyRouteComponent(() => import('./accounts/annual-report-page.tsx'), 'AnnualReportPage'),
})

export const loadCollectionMessages = {
  loader: () => loadMessages('collections'),
  staleTime: Number.POSITIVE_INFINITY,
}
const collectionPages = () => import('./accounts/collection-pages.tsx')
const collections = createRoute({
  getParentRoute: () => root,
  path: '/collections',
  ...loadCollectionMessages,
  component: lazyRouteComponent(collectionPages, 'CollectionsPage'),
})
const collection = createRoute({
  getParentRoute: () => root,
  path: '/collections/$id',
  ...loadCollectionMessages,
  component: lazyRouteComponent(collectionPages, 'CollectionPage'),
})

/** The pages of filters, annual reports and collections, which load texts of their own. */
export const readingRoutes = [filters, newFilter, editFilter, annualReport, collections, collection] as const
