import { createRootRoute } from '@tanstack/react-router'
import { FailedPage, NotFoundPage } from './shell/error-pages.tsx'
import { Shell } from './shell/shell.tsx'

/** The parent of all routes. */
export const root = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage, errorComponent: FailedPage })
