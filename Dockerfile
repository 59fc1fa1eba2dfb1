# One image for every role: the command says which (api, worker, db migrate).
FROM node:20-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production
COPY package.json package-lock.json ./
COPY bin ./bin
# The embedded Postgres is for single machines; here DATABASE_URL points to a real one.
RUN npm ci --omit=dev --omit=optional && npm cache clean --force
COPY tsconfig*.json ./
COPY src ./src
COPY workflows ./workflows
COPY activities ./activities
COPY specs ./specs
USER node
ENTRYPOINT ["node", "bin/endstop.mjs"]
CMD ["--help"]
