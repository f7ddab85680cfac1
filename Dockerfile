# One image per service:  docker build --build-arg SERVICE=services/exercises .
# There is no build step: Node runs the TypeScript as it is.
ARG NODE=node:24-slim

FROM ${NODE} AS manifests
WORKDIR /muster
COPY . .
RUN find . -type f ! -name package.json ! -name pnpm-lock.yaml ! -name pnpm-workspace.yaml ! -name .npmrc -delete

FROM ${NODE} AS packages
ARG SERVICE=gateway
WORKDIR /muster
COPY package.json ./
RUN npm install --global "$(node --print "require('./package.json').packageManager")"
# The manifests alone decide what is installed: changed code does not install again.
COPY --from=manifests /muster ./
RUN pnpm install --frozen-lockfile --prod --filter-prod "{./${SERVICE}}..."

FROM ${NODE}
ARG SERVICE=gateway
ENV NODE_ENV=production SERVICE_HOST=0.0.0.0 SERVICE_PORT=8080
WORKDIR /muster/${SERVICE}
COPY --from=packages /muster /muster
COPY packages /muster/packages
COPY ${SERVICE} ./
# Where secrets may be put by a volume, owned by the user that reads them.
RUN install --directory --owner=node --group=node --mode=0700 /run/muster /run/muster-gateway
USER node
EXPOSE 8080
# Whether its event loop turns: `/ready` would count an engine that is away as its fault.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --start-interval=1s \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.SERVICE_PORT}/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--env-file-if-exists=/run/muster/secrets.env", "src/main.ts"]
