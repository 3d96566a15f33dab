# docfuse with its model, for `docfuse serve` and `docfuse index`: docs/guides/operate.md
FROM node:24-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm pack --pack-destination /packed \
  && node scripts/make-runtime-packages.ts /packed "$(node -p 'process.platform + "-" + process.arch')"
# The runtime of this platform first: docfuse then finds it in place of one from a registry.
RUN npm install --prefix /app --install-links --ignore-scripts --omit=dev \
  /packed/linux-* /packed/docfuse-*.tgz prom-client@15 @qdrant/js-client-rest@1 pg@8

FROM node:24-bookworm-slim
COPY --from=build /app /app
COPY deploy/entrypoint.sh /entrypoint.sh
# Everything that changes is in /data and /tmp, so the root file system can be read-only.
RUN mkdir /data /documents && chown node:node /data
ENV PATH=/app/node_modules/.bin:$PATH \
  DOCFUSE_INDEX=/data/index \
  DOCFUSE_SERVER_HOST=0.0.0.0 \
  XDG_DATA_HOME=/data \
  XDG_STATE_HOME=/data/state \
  XDG_CACHE_HOME=/tmp/cache
# The user node, by its number: Kubernetes asks for one where it refuses root.
USER 1000
WORKDIR /documents
VOLUME /data
EXPOSE 7331
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:7331/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["sh", "/entrypoint.sh"]
CMD ["docfuse", "serve", "--metrics", "--log-format", "json"]
