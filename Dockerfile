# The program is bundled, so that the image holds Node and a few files, and no packages.
ARG NODE_VERSION=22
ARG DEBIAN=bookworm

FROM node:${NODE_VERSION}-${DEBIAN}-slim AS build
WORKDIR /source
COPY .npmrc package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY LICENSE tsconfig.json ./
COPY scripts ./scripts
COPY src ./src
RUN npm run --silent build

# Without npm, which nobody needs to run Drover.
FROM debian:${DEBIAN}-slim
LABEL org.opencontainers.image.title="Drover" \
      org.opencontainers.image.description="Moves KubeVirt's VMs through upgrades and drains" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /source/dist /app
COPY LICENSE /app/
# Writes nothing: run it with a read-only root file system.
WORKDIR /app
USER 65532:65532
ENV NODE_ENV=production
# 9443 for webhooks, 8080 for health and metrics
EXPOSE 9443 8080
ENTRYPOINT ["/usr/local/bin/node", "/app/drover.js"]
CMD ["--help"]
